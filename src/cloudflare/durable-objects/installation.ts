import { DurableObject } from 'cloudflare:workers'
import { applyNextPiece, type Migration, Migrations } from '../../db/apply-migrations'
import { base64url, sha256 } from '../../lib/secrets'
import type { ChosenVariables, MigrationState, NotedStep, SetUpState } from '../../ports/installation'
import { consoleLog } from '../log'
import { opened, provenSecret, type SealedSecret, sealedUnder } from '../sealed-secret'

/** Variables of this server that its environment leaves out. */
export type InstalledVariables = Readonly<{ INSTANCE_SECRET: string }> & ChosenVariables

/**
 * `open`: the server runs. `unfinished`: it has no owner yet. `migrating`: its database is older than its version. `locked`:
 * the set-up secret is another than the one that its secret is encrypted under, and there are no variables.
 */
export type Installed =
  | { readonly state: 'open' | 'unfinished' | 'migrating'; readonly variables: InstalledVariables }
  | { readonly state: 'locked' }

interface Holder {
  readonly hash: string
  readonly seenAt: number
}

/** Progress of migrations, and the last of those that were applied. */
interface KeptMigration extends MigrationState {
  readonly last: string | null
}

const nothingMigrated: KeptMigration = { state: 'waiting', done: 0, total: 0, last: null }
const keys = {
  secret: 'secret',
  chosen: 'chosen',
  steps: 'steps',
  holder: 'holder',
  wrong: 'wrong secrets',
  migration: 'migration',
  isComplete: 'complete',
} as const

const minute = 60_000
/** A browser that did nothing for so long leaves set-up to the next one. */
const heldMinutes = 30
/** Attempts of an alarm that the platform makes by itself, two seconds after the first and then in twice the time. */
const mostRetries = 5
/** In the past: the alarm rings at once. */
const atOnce = 1

/**
 * The one object of a server that was set up in the browser. Makes the instance secret at the first call and keeps it
 * encrypted under SETUP_SECRET, with what was chosen in set-up; applies migrations, one piece an alarm.
 */
export class Installation extends DurableObject<Env> {
  /** Opens the secret, or makes it where there is none. Starts migrations that a new version brought. */
  async open(setupSecret: string): Promise<Installed> {
    const kept = await this.#secret()
    const secret = kept === null ? await this.#make(setupSecret) : await opened(setupSecret, kept)
    if (secret === null) return { state: 'locked' }
    const variables = { ...(await this.#chosen()), INSTANCE_SECRET: secret }
    if ((await this.ctx.storage.get(keys.isComplete)) === undefined) return { state: 'unfinished', variables }
    if (await this.#isCurrent()) return { state: 'open', variables }
    await this.startMigration()
    return { state: 'migrating', variables }
  }

  async state(setupSecret: string, hash: string | null, now: number): Promise<SetUpState> {
    const { state } = await this.open(setupSecret)
    const holder = await this.#holder()
    const isHolder = hash !== null && holder?.hash === hash
    if (isHolder && now - holder.seenAt > minute) await this.#keepHolder({ hash, seenAt: now })
    const { last: _, ...migration } = await this.#migration()
    return {
      isLocked: state === 'locked',
      migration: (await this.#isCurrent()) ? { ...migration, state: 'done' } : unfinished(migration),
      chosen: await this.#chosen(),
      done: await this.#steps(),
      isHolder,
      wrongSecrets: await this.#wrongSecrets(),
      serverId: await sha256(`installation ${this.ctx.id}`),
    }
  }

  async countWrongSecret(): Promise<void> {
    await this.ctx.storage.put(keys.wrong, (await this.#wrongSecrets()) + 1)
  }

  /** Null when `hash` holds set-up now; else when another browser was last active. */
  async hold(hash: string, now: number, takesOver: boolean): Promise<number | null> {
    const holder = await this.#holder()
    const isHeld = holder !== undefined && holder.hash !== hash && now - holder.seenAt < heldMinutes * minute
    if (isHeld && !takesOver) return holder.seenAt
    await this.#keepHolder({ hash, seenAt: now })
    return null
  }

  async choose(hash: string, variables: ChosenVariables, done?: NotedStep): Promise<boolean> {
    if ((await this.#holder())?.hash !== hash) return false
    const steps = new Set([...(await this.#steps()), ...(done === undefined ? [] : [done])])
    const chosen = { ...(await this.#chosen()), ...variables }
    await this.ctx.storage.put<unknown>({
      [keys.chosen]: Object.fromEntries(Object.entries(chosen).filter(([, value]) => value !== '')),
      [keys.steps]: [...steps],
    })
    return true
  }

  async secretForFile(setupSecret: string, hash: string): Promise<string | null> {
    const kept = await this.#secret()
    const isOffered = (await this.#holder())?.hash === hash && !(await this.#steps()).includes('secrets')
    return kept === null || !isOffered ? null : opened(setupSecret, kept)
  }

  async sealAgain(setupSecret: string, proof: string): Promise<boolean> {
    const kept = await this.#secret()
    const secret = kept === null ? null : await provenSecret(proof, kept)
    if (secret === null) return false
    await this.ctx.storage.put(keys.secret, await sealedUnder(setupSecret, secret))
    return true
  }

  async complete(): Promise<void> {
    await this.ctx.storage.put(keys.isComplete, true)
    await this.ctx.storage.delete(keys.holder)
  }

  async startMigration(): Promise<void> {
    if ((await this.ctx.storage.getAlarm()) !== null) return
    await this.#noteMigration({ ...(await this.#migration()), state: 'running' })
    await this.ctx.storage.setAlarm(atOnce)
  }

  /** Applies one piece of the migrations. One alarm rings at a time, and one that was killed rings again. */
  override async alarm(info?: AlarmInvocationInfo): Promise<void> {
    try {
      const migrations = await this.#migrations()
      const progress = await applyNextPiece(this.env.DB, migrations)
      const isDone = progress.done === progress.total
      const last = isDone ? (migrations.at(-1)?.name ?? null) : null
      await this.#noteMigration({ ...progress, state: isDone ? 'done' : 'running', last })
      if (!isDone) await this.ctx.storage.setAlarm(atOnce)
    } catch (cause) {
      consoleLog.error('A piece of the migrations failed', { cause })
      if ((info?.retryCount ?? 0) < mostRetries) throw cause
      await this.#noteMigration({ ...(await this.#migration()), state: 'failed' })
    }
  }

  async #make(setupSecret: string): Promise<string | null> {
    const secret = base64url(crypto.getRandomValues(new Uint8Array(32)))
    const made = await sealedUnder(setupSecret, secret)
    // Encryption lets other calls run: the first of them wins.
    const first = await this.#secret()
    if (first !== null) return opened(setupSecret, first)
    await this.ctx.storage.put(keys.secret, made)
    return secret
  }

  #known: readonly Migration[] | null = null

  /** Migrations of this version, which stay the same as long as the object runs. */
  async #migrations(): Promise<readonly Migration[]> {
    this.#known ??= await readMigrations(this.env.ASSETS)
    return this.#known
  }

  async #isCurrent(): Promise<boolean> {
    const { last } = await this.#migration()
    return last !== null && last === (await this.#migrations()).at(-1)?.name
  }

  async #secret(): Promise<SealedSecret | null> {
    return (await this.ctx.storage.get<SealedSecret>(keys.secret)) ?? null
  }

  async #chosen(): Promise<ChosenVariables> {
    return (await this.ctx.storage.get<ChosenVariables>(keys.chosen)) ?? {}
  }

  async #steps(): Promise<readonly NotedStep[]> {
    return (await this.ctx.storage.get<readonly NotedStep[]>(keys.steps)) ?? []
  }

  #holder(): Promise<Holder | undefined> {
    return this.ctx.storage.get<Holder>(keys.holder)
  }

  #keepHolder(holder: Holder): Promise<void> {
    return this.ctx.storage.put(keys.holder, holder)
  }

  async #wrongSecrets(): Promise<number> {
    return (await this.ctx.storage.get<number>(keys.wrong)) ?? 0
  }

  async #migration(): Promise<KeptMigration> {
    return (await this.ctx.storage.get<KeptMigration>(keys.migration)) ?? nothingMigrated
  }

  #noteMigration(migration: KeptMigration): Promise<void> {
    return this.ctx.storage.put(keys.migration, migration)
  }
}

/** A database that an earlier version finished waits for the migrations of this one. */
function unfinished(migration: MigrationState): MigrationState {
  return migration.state === 'done' ? { ...migration, state: 'waiting' } : migration
}

async function readMigrations(assets: Fetcher): Promise<readonly Migration[]> {
  const response = await assets.fetch('https://assets.invalid/migrations.json')
  if (!response.ok) throw new Error('public/migrations.json was not deployed: run npm run pages before')
  return Migrations.parse(await response.json())
}
