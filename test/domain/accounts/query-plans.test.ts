import { expect, it } from 'vitest'
import { execute } from '../../../src/db/query'
import { resolvableByHandle, resolvableByUrl } from '../../../src/domain/accounts/find'
import { planOf, recordingDb, scannedTables } from '../../support/recording-db'
import { context } from '../../support/test-app'

it('finds the account at an entered address by indexes: its actor id, its handle, or a page of an unusual form', async () => {
  const { db, asked } = recordingDb()
  const ctx = context({ db })
  for (const address of ['https://elsewhere.test/@wren', 'https://elsewhere.test/people/wren'])
    await execute(ctx.db, resolvableByUrl(ctx, address))
  expect(asked).toHaveLength(2)
  for (const one of asked) {
    const plan = await planOf(one)
    expect(plan).toContainEqual(
      expect.stringMatching(/^SEARCH accounts USING .*INDEX accounts_uri \(uri=\?\)/),
    )
    expect(plan).toContainEqual(
      expect.stringMatching(/^SEARCH accounts USING .*INDEX accounts_unusual_urls \(url=\?\)/),
    )
    expect(plan).toContainEqual(expect.stringMatching(/^SEARCH accounts USING .*INDEX accounts_handle /))
    expect(await scannedTables(one)).toEqual([])
  }
})

it('finds the account of a name at a host by indexes, though its handle has another domain', async () => {
  const { db, asked } = recordingDb()
  const ctx = context({ db })
  await execute(ctx.db, resolvableByHandle(ctx, { username: 'wren', domain: 'social.elsewhere.test' }))
  for (const one of asked) {
    const plan = await planOf(one)
    expect(plan).toContainEqual(
      expect.stringMatching(
        /^SEARCH accounts USING .*INDEX accounts_split_handles \(<expr>=\? AND <expr>=\?\)/,
      ),
    )
    expect(plan).toContainEqual(expect.stringMatching(/^SEARCH accounts USING .*INDEX accounts_handle /))
    expect(await scannedTables(one)).toEqual([])
  }
})
