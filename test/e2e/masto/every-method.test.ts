import { describe, expect, it } from 'vitest'
import { mastoAnonymous, mastoOf } from '../support/masto'
import { methodsOfMasto, noting } from '../support/masto-methods'
import { accounts } from './methods/accounts'
import { reading, readingV2 } from './methods/reading'
import { server, serverV2 } from './methods/server'
import { statuses, statusesV2 } from './methods/statuses'
import type { As, ResourceV1, ResourceV2, Uses } from './methods/use'

const v1: Uses<ResourceV1> = { ...accounts, ...reading, ...server, ...statuses }
const v2: Uses<ResourceV2> = { ...readingV2, ...serverV2, ...statusesV2 }

/** Every method but those of administration answers what the client's types declare. */
describe.each([
  { version: 'v1', uses: v1, count: 165 },
  { version: 'v2', uses: v2, count: 25 },
] as const)('masto with $version of the API', ({ version, uses, count }) => {
  const methods = methodsOfMasto(version)

  it('covers every resource that the client declares', () => {
    expect(Object.keys(uses).toSorted()).toEqual([...methods.keys()].toSorted())
    expect([...methods.values()].flat()).toHaveLength(count)
  })

  it.each(Object.entries(uses))('uses every method of %s', async (resource, use) => {
    const called = new Set<string>()
    const as: As = (person) => noting(person === null ? mastoAnonymous() : mastoOf(person), called)
    await use(as)
    const start = `${version}.${resource}.`
    const own = [...called].filter((path) => path.startsWith(start))
    expect(own.toSorted()).toEqual(methods.get(resource)?.toSorted())
  })
})
