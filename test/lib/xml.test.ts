import { describe, expect, it } from 'vitest'
import { element, xmlDocument } from '../../src/lib/xml'
import { readXml } from '../support/read-feed'

const read = (text: string) => readXml(xmlDocument(element('a', { b: text }, element('c', {}, text))))

describe('an element', () => {
  it.each([
    ['<&>"\'', '<&>"\''],
    [']]>', ']]>'],
    ['&amp;', '&amp;'],
    ['emoji 🦉', 'emoji 🦉'],
    ['kept:\t', 'kept:\t'],
    ['gone:\u0000\u0008\u000b\u001f\ufffe\uffff', 'gone:'],
    ['half \ud83e', 'half \ufffd'],
  ])('an element keeps %j as %j', (text, held) => {
    expect(read(text).children[0]?.text).toBe(held)
  })

  it('keeps the same in its attributes, and leaves out attributes without a value', () => {
    expect(read('<&>"\'\u0000').attributes).toEqual({ b: '<&>"\'' })
    expect(element('a', { b: undefined, c: '' })).toEqual({ markup: '<a c=""/>' })
  })
})
