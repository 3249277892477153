import { describe, expect, it } from 'vitest'
import { readActor } from '../../../src/activitypub/vocab/actor'

const id = 'https://mastodon.test/users/rosa'

function picturesOf(avatar: string, header: string) {
  const picture = (name: string) => ({ type: 'Image', url: 'https://mastodon.test/1.png', name })
  const actor = readActor(
    {
      id,
      type: 'Person',
      preferredUsername: 'rosa',
      inbox: `${id}/inbox`,
      icon: picture(avatar),
      image: picture(header),
    },
    new Date(0),
  )
  if ('unreadable' in actor) throw new Error(actor.unreadable)
  return [actor.avatar?.description, actor.header?.description]
}

describe('descriptions of pictures of an account of another server', () => {
  it('descriptions of remote profile pictures have up to 10,000 characters', () => {
    const [long, short] = ['a'.repeat(10_000), 'A wren']
    expect(picturesOf(long, long)).toEqual([long, long])
    expect(picturesOf(`${long}b`, short)).toEqual([long, short])
    expect(picturesOf('\u6f22'.repeat(10_000), short)).toEqual(['\u6f22'.repeat(10_000), short])
  })

  it('the longer of two descriptions is cut to the common limit in bytes', () => {
    const texts = picturesOf('\u6f22'.repeat(10_000), '\u6f22'.repeat(1_000))
    expect(texts[1]).toBe('\u6f22'.repeat(1_000))
    expect(texts[0]?.length).toBeGreaterThan(9_000)
    const both = picturesOf('\u6f22'.repeat(10_000), '\u6f22'.repeat(10_000))
    expect(both[0]).toBe(both[1])
    for (const pair of [texts, both]) expect(Buffer.byteLength(pair.join(''))).toBeLessThanOrEqual(32_768)
  })
})
