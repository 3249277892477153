import { describe, expect, it } from 'vitest'
import { addressOf, sourceUrl } from '../../scripts/lib/source-url.mjs'

describe('the address of the source that npm start runs', () => {
  it.each([
    ['https://github.com/some/hedge.git', 'https://github.com/some/hedge/tree/abc'],
    ['git@github.com:some/hedge.git', 'https://github.com/some/hedge/tree/abc'],
    ['https://user:password@gitlab.example.org/a/b/hedge', 'https://gitlab.example.org/a/b/hedge/-/tree/abc'],
    ['ssh://git@codeberg.org:22/some/hedge.git', 'https://codeberg.org/some/hedge/src/commit/abc'],
    ['https://git.example.org/hedge.git/', 'https://git.example.org/hedge'],
    ['/home/somebody/hedge', null],
    ['../hedge', null],
    ['file:///home/hedge.git', null],
  ])('the source of a clone of %s is %s', (remote, address) => {
    expect(addressOf(remote, 'abc')).toBe(address)
  })

  it('the address of the source has no source where git knows none', () => {
    expect(sourceUrl('/')).toBeNull()
  })
})
