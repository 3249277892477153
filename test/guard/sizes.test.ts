import { describe, expect, it } from 'vitest'
import { sourceFiles } from './source'

const lines = (text: string) => text.split('\n').length

describe('file sizes', () => {
  it('source files stay below 400 lines: split them by concept or verb', () => {
    const long = sourceFiles('src').filter(({ text }) => lines(text) > 400)
    expect(long.map(({ path, text }) => `${path}: ${lines(text)}`)).toEqual([])
  })

  it('test files stay below 600 lines', () => {
    const long = sourceFiles('test').filter(({ text }) => lines(text) > 600)
    expect(long.map(({ path, text }) => `${path}: ${lines(text)}`)).toEqual([])
  })
})
