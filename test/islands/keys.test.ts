import { describe, expect, it } from 'vitest'
import { meaningOf, type Press } from '../../src/islands/lib/keys'
import { paths } from '../../src/web/paths'

const press = (key: string, more: Partial<Press> = {}): Press => ({
  key,
  isModified: false,
  isTyping: false,
  isOnControl: false,
  ...more,
})

describe('keyboard shortcuts', () => {
  it('keyboard shortcuts are those of Mastodon’s web app', () => {
    const meant = ['j', 'k', 'f', 'b', 'r', 'q', 'n', '?', '.'].map((key) => meaningOf(press(key), false))
    expect(meant).toEqual(
      ['next', 'previous', 'favourite', 'boost', 'reply', 'quote', 'compose', 'help', 'newer'].map(
        (command) => ({ command }),
      ),
    )
  })

  it('keyboard shortcuts lead to places after g', () => {
    expect(meaningOf(press('g'), false)).toBe('g')
    expect(meaningOf(press('h'), true)).toEqual({ path: paths.home })
    expect(meaningOf(press('n'), true)).toEqual({ path: paths.notifications })
    expect(meaningOf(press('l'), true)).toEqual({ path: paths.posts })
    expect(meaningOf(press('t'), true)).toEqual({ path: paths.allPosts })
    expect(meaningOf(press('e'), true)).toEqual({ path: paths.explore })
    expect(meaningOf(press('f'), true)).toEqual({ path: paths.favourites })
    expect(meaningOf(press('b'), true)).toEqual({ path: paths.blocks })
    expect(meaningOf(press('x'), true)).toBeNull()
  })

  it('keyboard shortcuts do nothing in fields and with modifiers', () => {
    expect(meaningOf(press('f', { isTyping: true }), false)).toBeNull()
    expect(meaningOf(press('f', { isModified: true }), false)).toBeNull()
  })

  it('keyboard shortcuts leave Enter to a link or button that has the focus', () => {
    expect(meaningOf(press('Enter', { isOnControl: true }), false)).toBeNull()
    expect(meaningOf(press('Enter'), false)).toEqual({ command: 'open' })
  })

  it('keyboard shortcuts ignore keys that are names of object properties', () => {
    expect(meaningOf(press('constructor'), false)).toBeNull()
    expect(meaningOf(press('toString'), true)).toBeNull()
  })
})
