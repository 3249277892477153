import { env } from 'cloudflare:workers'
import { openDb } from '../../src/db/query'

interface Asked {
  readonly text: string
  readonly values: readonly unknown[]
}

/** The database of the tests, with every statement prepared on it kept. */
export function recordingDb() {
  const asked: Asked[] = []
  const db = new Proxy(env.DB, {
    get(target, key) {
      if (key !== 'prepare') {
        const value: unknown = Reflect.get(target, key)
        return typeof value === 'function' ? value.bind(target) : value
      }
      return (text: string) => {
        const statement = target.prepare(text)
        return new Proxy(statement, {
          get(inner, name) {
            if (name !== 'bind') return Reflect.get(inner, name)
            return (...values: unknown[]) => {
              asked.push({ text, values })
              return inner.bind(...values)
            }
          },
        })
      }
    },
  })
  return { db: openDb(db), asked }
}

/** The steps of a statement's query plan, as SQLite words them. */
export async function planOf({ text, values }: Asked): Promise<readonly string[]> {
  const { results } = await env.DB.prepare(`explain query plan ${text}`)
    .bind(...values)
    .all<{ detail: string }>()
  return results.map(({ detail }) => detail)
}

/** The tables a statement reads from end to end, where it could have used an index. */
export async function scannedTables(asked: Asked): Promise<readonly string[]> {
  return (await planOf(asked))
    .filter((step) => !wholeIndexes.some((index) => step.endsWith(` ${index}`)))
    .map((step) => /^SCAN (\S+)/.exec(step)?.[1] ?? '')
    .filter((name) => name !== '' && !name.startsWith('(') && !harmless.has(name))
}

/** Indexes that are read as a whole on purpose: the result is kept for a minute, and asked for by every courier. */
const wholeIndexes: readonly string[] = ['domain_limits_suspended']

/** Lists sent along, rows already picked, and tables of a handful of rows. */
const harmless: ReadonlySet<string> = new Set([
  'item',
  'message',
  'json_each',
  'message',
  'page',
  'picked',
  'reaching',
  'looked',
  // Fifty-one at most.
  'presences',
  'amount',
  'shown',
  'thread',
  'quoting',
  'up',
  'above',
  'walk',
  'reach',
  'down',
  'CONSTANT',
  'value',
  'counters',
  'me',
  'own',
  'one',
  'kind',
  'party',
  'other',
  'named',
  'same',
  'used',
  'linked',
  'onpage',
  'link',
  'found',
  'reached',
  'mode',
  'met',
  'entry',
  'near',
  'whole',
  'late',
  'asked',
  // Connected users with their subscriptions, and the topics with any subscriber.
  'p',
  'l',
  'topic',
  'connected',
  'any_topic',
  'role',
])
