import { describe, expect, it } from 'vitest'
import { completableAt, complete, countCharacters } from '../../src/islands/lib/characters'

describe('characters of a post', () => {
  it('characters of a post are counted as the server does: links as 23, mentions without their server, emojis as one', () => {
    expect(countCharacters('Hello', 'en')).toBe(5)
    expect(countCharacters(`https://birds.example/${'a'.repeat(100)}`, 'en')).toBe(23)
    expect(countCharacters('@wren@birds.example hi', 'en')).toBe('@wren hi'.length)
    expect(countCharacters('👩‍👩‍👧', 'en')).toBe(1)
  })
})

describe('completion', () => {
  const found = (text: string) => completableAt(text, text.length)

  it('begins with the sign of a person, a hashtag or an emoji and two more characters', () => {
    expect(found('Hello @wr')).toEqual({ kind: 'person', text: 'wr', start: 6 })
    expect(found('#bi')).toEqual({ kind: 'hashtag', text: 'bi', start: 0 })
    expect(found('(:bird')).toEqual({ kind: 'emoji', text: 'bird', start: 1 })
    expect(found('@wren@bir')).toEqual({ kind: 'person', text: 'wren@bir', start: 0 })
  })

  it('leaves alone what is no such word', () => {
    expect([found('me@birds'), found('10:30'), found('@w'), found('wren '), found('')]).toEqual([
      null,
      null,
      null,
      null,
      null,
    ])
  })

  it('puts the suggestion in place of the word, with one space behind it', () => {
    const at = { start: 6, caret: 9, by: '@wren@birds.example' }
    expect(complete('Hello @wr and bye', at)).toEqual({
      text: 'Hello @wren@birds.example and bye',
      caret: 26,
    })
    expect(complete('Hello @wr', at)).toEqual({ text: 'Hello @wren@birds.example ', caret: 26 })
  })
})
