import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { pushAlerts } from '../../src/contract/notification-kinds'
import { accountDomainBlocks, statusMentions, users } from '../../src/db/schema'
import { visibilities } from '../../src/db/schema/statuses'
import type { Job } from '../../src/messages/jobs'
import { as } from '../support/as'
import { given, type TestAccount } from '../support/given'
import { subscribedDevice } from '../support/given-push'
import { relation } from '../support/given-relationships'
import { storedNotification, storedStatus } from '../support/given-stored'
import type { PushDevice } from '../support/push-device'
import { runJob } from '../support/run-job'
import { clock, context } from '../support/test-app'

/**
 * Every kind of notification about every kind of status by an author who stands so to its reader: what is pushed is
 * what the reader would be shown, neither more nor less.
 */

type Author = { readonly id: number }

const localAuthor = () => given.account()

interface Standing {
  /** An account of this server unless told otherwise. */
  make?(): Promise<Author>
  stand?(author: Author, reader: TestAccount): Promise<unknown>
  readonly mentioned?: boolean
  /** Of four statuses with ten kinds each. */
  readonly shown: number
}

const standings: Readonly<Record<string, Standing>> = {
  'a stranger': { shown: 20 },
  'a stranger who names the reader': { shown: 40, mentioned: true },
  'somebody whom the reader follows': {
    shown: 30,
    stand: (author, reader) => relation.follow(reader, author),
  },
  'somebody who follows the reader': {
    shown: 20,
    stand: (author, reader) => relation.follow(author, reader),
  },
  'somebody who blocks the reader': {
    shown: 0,
    mentioned: true,
    stand: (author, reader) => relation.block(author, reader),
  },
  'somebody whom the reader blocks': {
    shown: 0,
    mentioned: true,
    stand: (author, reader) => relation.block(reader, author),
  },
  'somebody whom the reader mutes': {
    shown: 0,
    mentioned: true,
    stand: (author, reader) => relation.mute(reader, author, { hideNotifications: true }),
  },
  'somebody whom the reader mutes in timelines': {
    shown: 40,
    mentioned: true,
    stand: (author, reader) => relation.mute(reader, author, { hideNotifications: false }),
  },
  'somebody whom the reader had muted for a while': {
    shown: 40,
    mentioned: true,
    stand: (author, reader) =>
      relation.mute(reader, author, {
        hideNotifications: true,
        expiresAt: new Date(clock.now().getTime() - 1),
      }),
  },
  'somebody suspended': {
    shown: 0,
    make: () => given.account({ suspendedAt: clock.now() }),
    mentioned: true,
  },
  'somebody limited': { shown: 40, make: () => given.account({ silencedAt: clock.now() }), mentioned: true },
  'somebody of a domain that the reader blocks': {
    shown: 0,
    make: () => given.remoteAccount({ domain: 'unwanted.test' }),
    mentioned: true,
    stand: (_, reader) => {
      const ctx = context()
      const row = {
        id: ctx.ids.next(),
        accountId: reader.id,
        domain: 'unwanted.test',
        createdAt: clock.now(),
      }
      return ctx.db.insert(accountDomainBlocks).values(row)
    },
  },
}

/** Alerts about statuses. */
const types = pushAlerts.filter((type) => !type.startsWith('admin.'))
type Type = Exclude<(typeof pushAlerts)[number], `admin.${string}`>
const isType = (type: string): type is Type => !type.startsWith('admin.')

describe.each(Object.entries(standings))(
  'by %s',
  (_, { make = localAuthor, stand, mentioned = false, shown }) => {
    let reader: TestAccount
    let device: PushDevice
    const ids: number[] = []

    beforeAll(async () => {
      reader = await given.account()
      device = await subscribedDevice(reader)
      const author = await make()
      await stand?.(author, reader)
      for (const visibility of visibilities) {
        const about = await storedStatus({ accountId: author.id, visibility })
        if (mentioned)
          await context().db.insert(statusMentions).values({ statusId: about, accountId: reader.id })
        for (const type of types.filter(isType))
          ids.push(await notified(type, { reader, author, statusId: about }))
      }
      await drain([{ kind: 'send-push', notificationIds: ids }])
    })

    it('pushes only what the account can read', async () => {
      const answers = await Promise.all(ids.map((id) => as(reader).get(`/api/v1/notifications/${id}`)))
      const readable = ids.filter((_id, index) => answers[index]?.status === 200)
      expect(readable.length).toBe(shown)
      const pushed = device.pushed.map(({ message }) => message.notification_id)
      expect(pushed.toSorted((a, b) => a - b)).toEqual(readable.toSorted((a, b) => a - b))
    })
  },
)

describe('notifications to staff', () => {
  it('pushes notifications to staff with the permission, and not to former staff', async () => {
    const [staff, former] = [
      await given.account({ user: { roleId: 1 } }),
      await given.account({ user: { roleId: 1 } }),
    ]
    const devices = [await subscribedDevice(staff), await subscribedDevice(former)]
    const jobs: Job[] = []
    const overrides = { jobs: { send: async (job: Job) => void jobs.push(job) } }
    const [carol, dave] = [await given.account(), await given.account()]
    await as(carol).post('/api/v1/reports', { account_id: String(dave.id) }, { overrides })
    await context().db.update(users).set({ roleId: null }).where(eq(users.accountId, former.id))
    await drain(jobs)
    expect(devices.map(({ pushed }) => pushed.map(({ message }) => message.title))).toEqual([
      [`${carol.username} submitted a report`],
      [],
    ])
  })
})

interface Told {
  readonly reader: TestAccount
  readonly author: Author
  readonly statusId: number
}

/** Stores a notification from the author to the reader about the status. */
async function notified(type: Type, { reader, author, statusId }: Told): Promise<number> {
  return storedNotification({ accountId: reader.id, fromAccountId: author.id, type, statusId })
}

/** Runs the jobs and those that they queue. */
async function drain(queue: readonly Job[]): Promise<void> {
  const next: Job[] = []
  const ctx = context({ jobs: { send: async (job) => void next.push(job) } })
  for (const job of queue) await runJob(ctx, job)
  if (next.length > 0) await drain(next)
}
