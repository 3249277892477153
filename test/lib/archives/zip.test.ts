import { describe, expect, it } from 'vitest'
import { listZip, unzip } from '../../../src/lib/archives/zip'
import { zipOf } from '../../support/zip'

const text = (bytes: Uint8Array | null) => (bytes === null ? null : new TextDecoder().decode(bytes))
const bytes = (words: string) => new TextEncoder().encode(words)

describe('a zip archive', () => {
  it('reads each entry with its own bytes, also where two have one name', () => {
    const archive = zipOf([
      ['one.txt', bytes('first')],
      ['one.txt', bytes('second')],
      ['tiër.txt', bytes('third')],
    ])
    const entries = listZip(archive) ?? []
    expect(entries.map(({ name }) => name)).toEqual(['one.txt', 'one.txt', 'tiër.txt'])
    expect(entries.map((entry) => text(unzip(archive, entry, 100)))).toEqual(['first', 'second', 'third'])
  })

  it('unpacks no entry beyond the limit, whatever size the entry states', () => {
    const archive = zipOf([['zeros', new Uint8Array(5_000_000)]], { statedBytes: 10 })
    const [entry] = listZip(archive) ?? []
    if (entry === undefined) throw new Error('the entry was not listed')
    expect(entry.statedBytes).toBe(10)
    expect(unzip(archive, entry, 1_000)).toBeNull()
    expect(unzip(archive, entry, 5_000_000)?.length).toBe(5_000_000)
  })

  it('does not list a truncated zip archive, and never throws for a damaged one', () => {
    const whole = zipOf([['one.txt', bytes('first')]])
    for (let length = 0; length < whole.length; length += 1)
      expect(listZip(whole.subarray(0, length))).toBeNull()
    for (let at = 0; at < whole.length; at += 1) {
      const damaged = new Uint8Array(whole)
      damaged[at] = 0xff
      for (const entry of listZip(damaged) ?? []) unzip(damaged, entry, 100)
    }
  })
})
