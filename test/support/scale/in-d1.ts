import { env } from 'cloudflare:workers'
import { unboundKeyPair } from '../fediverse/keys'
import { rebuildLists } from '../rebuild-lists'
import { clock, context } from '../test-app'
import type { Scale } from './figures'
import { fillDatabase, selectTriggers, Triggers } from './fill'
import { type ScaledInstance, scaledInstance } from './scaled-instance'

/** Fills a migrated, empty database of a test. Every local account signs with the key of tests. */
export async function fillD1(scale: Scale, db: D1Database = env.DB): Promise<ScaledInstance> {
  const localKey = await unboundKeyPair(context().config.secrets)
  const instance = scaledInstance(scale, { now: clock.now(), localKey })
  await fillDatabase(
    {
      run: async (text) => void (await db.prepare(text).run()),
      triggers: async () => Triggers.parse((await db.prepare(selectTriggers).all()).results),
    },
    instance,
  )
  await rebuildLists(db)
  return instance
}
