import { reset } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { migrate } from './empty-database'
import { network } from './fediverse/shared-network'
import { beginFile, settleLateWork } from './test-app'

/** Empties databases and objects, and forgets all that the tests before left in memory: the clock is at its start again. */
export async function beginOnEmpty(): Promise<void> {
  // Work of the tests before that is still under way would write into the next database.
  await settleLateWork()
  // The reset leaves out databases that were evicted: asked, they are there.
  for (const db of [env.DB, env.CROWDED, env.APART]) await db.prepare('select 1').run()
  await reset()
  await migrate(env.DB)
  const left = await env.DB.prepare('select count(*) as count from accounts').first('count')
  if (left !== 0) throw new Error(`The database was not reset: ${left} accounts of other tests`)
  beginFile()
  network.clear()
}
