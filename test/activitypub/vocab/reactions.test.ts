import { describe, expect, it } from 'vitest'
import { readActivity, readReaction } from '../../../src/activitypub/vocab/activity'

const tag = [{ type: 'Emoji', name: ':blob:', icon: { type: 'Image', url: 'https://a.test/blob.png' } }]
const picture = { shortcode: 'blob', image: { remote: 'https://a.test/blob.png' } }
const blob = { name: 'blob', emoji: { picture, host: null } }
const id = 'https://b.test/emojis/blob'

function reactionOf(changes: object) {
  const activity = readActivity({
    id: 'https://a.test/1',
    type: 'Like',
    actor: 'https://a.test/u/ada',
    object: 'https://b.test/1',
    ...changes,
  })
  return activity === null ? null : readReaction(activity)
}

describe('readReaction', () => {
  it.each([
    ['an EmojiReact', { type: 'EmojiReact', content: '🔥' }, { name: '🔥', emoji: null }],
    ['a Like with content', { content: '🎉' }, { name: '🎉', emoji: null }],
    ['a Like with _misskey_reaction', { _misskey_reaction: '👍🏽' }, { name: '👍🏽', emoji: null }],
    ['an emoji without its variation mark', { type: 'EmojiReact', content: '☺' }, { name: '☺️', emoji: null }],
    ['a flag', { type: 'EmojiReact', content: '🏳️‍🌈' }, { name: '🏳️‍🌈', emoji: null }],
    ['a heart as EmojiReact', { type: 'EmojiReact', content: '❤️' }, { name: '❤️', emoji: null }],
    ['a custom emoji', { content: ':blob:', tag }, blob],
    ['a custom emoji of another host', { content: ':blob@b.test:', tag }, blob],
    ['a custom emoji of its own host', { content: ':blob@.:', tag }, blob],
    [
      'a tag named with its host',
      { content: ':blob@b.test:', tag: [{ ...tag[0], name: ':blob@b.test:' }] },
      blob,
    ],
    [
      'the id of a custom emoji',
      { content: ':blob:', tag: [{ ...tag[0], id }] },
      { name: 'blob', emoji: { picture: { ...picture, uri: id }, host: 'b.test' } },
    ],
  ])('readReaction reads %s [T-158]', (_what, changes, expected) => {
    expect(reactionOf(changes)).toEqual(expected)
  })

  it.each([
    ['a plain Like', {}],
    ['a heart sent as Like', { content: '❤' }],
    ['a heart sent as Like with its variation mark', { _misskey_reaction: '❤️' }],
    ['two emojis', { content: '🔥🔥' }],
    ['a digit', { content: '1' }],
    ['letters', { content: 'wow' }],
    ['a custom emoji without a picture', { content: ':other:', tag }],
    ['an activity that is no reaction', { type: 'Announce', content: '🔥' }],
  ])('reads no reaction from %s [T-159]', (_what, changes) => {
    expect(reactionOf(changes)).toBeNull()
  })
})
