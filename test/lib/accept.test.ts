import { describe, expect, it } from 'vitest'
import { parseAccept, preferredLanguages, prefersData } from '../../src/lib/request-headers'

const profile = 'application/ld+json; profile="https://www.w3.org/ns/activitystreams"'

describe('the preference of an Accept header', () => {
  it.each([
    ['application/activity+json', true],
    [profile, true],
    [`${profile}, application/activity+json`, true],
    ['application/json', true],
    ['APPLICATION/Activity+JSON', true],
    ['application/activity+json, application/ld+json, text/html;q=0.1', true],
    ['application/activity+json; q=0.9, text/html; q = 0.8', true],
    ['text/html;q=0.5, application/activity+json;q=0.6', true],
    ['application/json, text/plain, */*', true],
    ['application/activity+json, text/html', true],
    ['text/html, application/activity+json', false],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', false],
    ['text/html, application/json;q=0.9', false],
    ['application/activity+json;q=0', false],
    ['application/activity+json;q=x', false],
    ['*/*', false],
    ['application/*', false],
    ['image/png', false],
    ['', false],
    [null, false],
  ])('the preference of an Accept header: %s', (header, isData) => {
    expect(prefersData(header)).toBe(isData)
  })

  it('reads an Accept header with quoted strings intact [T-654]', () => {
    expect(parseAccept('a/b; p="x,y;q=0.1"; q=0.5, c/d')).toEqual([
      { type: 'a/b', quality: 0.5 },
      { type: 'c/d', quality: 1 },
    ])
  })

  it('the preference is never more than 1 or less than 0, and ignores invalid values', () => {
    expect(parseAccept('a/b;q=7, c/d;q=-1, nonsense')).toMatchObject([{ quality: 1 }, { quality: 0 }])
  })
})

describe('preferredLanguages', () => {
  it.each([
    ['de', 'de'],
    ['de-AT, en;q=0.9', 'de'],
    ['en;q=0.5, PT-br;q=0.8, *;q=0.1', 'pt'],
    ['fr;q=0, en;q=0.2', 'en'],
    ['zh-Hant-TW', 'zh'],
    ['*', null],
    ['', null],
    [null, null],
    ["x'; drop, tables", null],
  ])('the preferred languages of %j are %j', (header, language) => {
    expect(preferredLanguages(header)[0] ?? null).toBe(language)
  })
})
