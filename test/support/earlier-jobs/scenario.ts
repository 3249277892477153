import { env } from 'cloudflare:workers'
import type { QueuedMessage } from '../../../src/jobs/consumer'
import type { Mail } from '../../../src/ports/mail'
import { consume, runJob } from '../run-job'
import { context, settleLateWork } from '../test-app'

/** A job that waited while the server was upgraded. */
export interface WaitingJob {
  /** Message in the queue, as the earlier version wrote it. */
  readonly message: Readonly<Record<string, unknown>>
  /** Reads what the job has to change. */
  readonly seen: () => Promise<unknown>
  readonly before: unknown
  readonly after: unknown
}

/** Mails that were sent to an address. */
export type Mailbox = (address: string) => number

/** Stores what a job is about, as it was when it was queued. */
export type Scenario = (mailsTo: Mailbox) => Promise<WaitingJob>

/** The first value of the first row; null without a row. */
export async function stored(
  query: string,
  ...values: readonly (string | number | null)[]
): Promise<unknown> {
  const [row] = await env.DB.prepare(query)
    .bind(...values)
    .raw()
  return row?.[0] ?? null
}

/** Changes rows straight in the database. */
export async function change(query: string, ...values: readonly (string | number | null)[]): Promise<void> {
  await env.DB.prepare(query)
    .bind(...values)
    .run()
}

/** Whether the media store has a file. */
export async function hasFile(key: string): Promise<boolean> {
  return (await env.MEDIA.head(key)) !== null
}

/** Messages that one job may lead to: more of them would never end. */
const most = 60

/** A queue with today's consumer, which sends mails to a mailbox. */
export function todaysQueue() {
  const [mails, queued, problems]: [Mail[], unknown[], string[]] = [[], [], []]
  const begin = () =>
    context({
      mailer: {
        send: async (mail) => void mails.push(mail),
        lookUp: async () => ({ acceptsMail: true, hosts: [] }),
      },
      // As the queue has it: in JSON.
      jobs: { send: async (job) => void queued.push(JSON.parse(JSON.stringify(job))) },
      deadLetters: { send: async (body) => void problems.push(`dead: ${JSON.stringify(body)}`) },
      log: {
        info: (text, facts) =>
          void (/rejected|ignored/.test(text) && problems.push(`${text}: ${facts?.['reason']}`)),
        error: (text, facts) => void problems.push(`${text}: ${facts?.['cause'] ?? facts?.['reason']}`),
      },
    })
  return {
    mailsTo: (address: string) => mails.filter(({ to }) => to === address).length,
    /** Consumes the message and all that follow from it, an invocation each. Returns what went wrong. */
    async consume(first: unknown): Promise<readonly string[]> {
      queued.push(JSON.parse(JSON.stringify(first)))
      let consumed = 0
      for (let body = queued.shift(); body !== undefined && consumed < most; body = queued.shift()) {
        consumed += 1
        await consume(begin(), [messageOf(body, problems)], runJob)
        await settleLateWork()
      }
      return consumed < most ? problems : [...problems, 'it never ends']
    },
  }
}

function messageOf(body: unknown, problems: string[]): QueuedMessage {
  return {
    body,
    ack: () => undefined,
    retry: () => void problems.push(`retried: ${JSON.stringify(body)}`),
  }
}
