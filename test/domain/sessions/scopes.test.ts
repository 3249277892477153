import { describe, expect, it } from 'vitest'
import { allScopes, covers, grants, parseScopes } from '../../../src/domain/sessions/scopes'

describe('scopes', () => {
  it.each([
    [['read'], 'read:accounts', true],
    [['read:accounts'], 'read:accounts', true],
    [['read:accounts'], 'read', false],
    [['write'], 'read:accounts', false],
    [['admin:read'], 'admin:read:accounts', true],
    [['admin:read:accounts'], 'admin:read', false],
    [['read'], 'admin:read:accounts', false],
    [['follow'], 'write:follows', true],
    [['follow'], 'read:mutes', true],
    [['follow'], 'write:accounts', false],
    [['profile'], 'read:accounts', false],
    [[], 'read', false],
  ] as const)('grants with %j access to %s: %s [T-643]', (held, wanted, allowed) => {
    expect(grants(held, wanted)).toBe(allowed)
  })

  it.each([
    ['read write', ['read', 'write']],
    ['  read   read ', ['read']],
    ['read+write:statuses', ['read', 'write:statuses']],
    ['', []],
    ['read nonsense', null],
    ['admin', null],
  ])('parses %j as %j', (text, scopes) => {
    expect(parseScopes(text)).toEqual(scopes)
  })

  it('covers scopes when each one is granted [T-644]', () => {
    expect(covers(['read', 'follow'], ['read:lists', 'write:blocks'])).toBe(true)
    expect(covers(['read', 'follow'], ['read:lists', 'write:lists'])).toBe(false)
  })

  it('lists each scope once', () => {
    expect(new Set(allScopes).size).toBe(allScopes.length)
  })
})
