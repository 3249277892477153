import { expect, it } from 'vitest'
import { execute } from '../../../src/db/query'
import { resolvableByUrl } from '../../../src/domain/accounts/find-resolvable'
import { planOf, recordingDb, scannedTables } from '../../support/recording-db'
import { context } from '../../support/test-app'

it('the account at an entered address is found by indexes: its actor id, its handle, or a page of an unusual form', async () => {
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
