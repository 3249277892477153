import * as z from 'zod'
import { DeadLetterPage, HandledLetters } from '../../contract/entities/admin/maintenance'
import { Id, OptionalId } from '../../contract/scalars'
import {
  dropLetter,
  dropLetters,
  findDeadLetters,
  retryLetter,
  retryLetters,
} from '../../domain/health/dead-letters'
import { endpoint, readEndpoint, staff } from '../endpoint'

const path = '/api/fieldfare/v1/admin/dead_letters'
const ById = z.object({ id: Id })
const Choice = z.object({ kind: z.string().max(100).optional(), after: OptionalId })
const devops = staff('admin:write', 'viewDevops')

const one = (
  [
    ['POST', `${path}/:id/retry`, 'Runs a message that nobody could run as a new one', retryLetter],
    ['DELETE', `${path}/:id`, 'Deletes a message that nobody could run', dropLetter],
  ] as const
).map(([method, route, summary, run]) =>
  endpoint({
    method,
    path: route,
    summary,
    auth: devops,
    input: ById,
    run: (ctx, { input, viewer }) => run(ctx, viewer, input.id),
  }),
)

const many = (
  [
    [
      'retry',
      'Runs the next 20 messages that nobody could run, all or of one kind; `next` goes on',
      retryLetters,
    ],
    [
      'drop',
      'Deletes the next 20 messages that nobody could run, all or of one kind; `next` goes on',
      dropLetters,
    ],
  ] as const
).map(([verb, summary, run]) =>
  endpoint({
    path: `${path}/${verb}`,
    summary,
    auth: devops,
    input: Choice,
    output: HandledLetters,
    run: async (ctx, { input: { kind = null, after }, viewer }) => {
      const { count, next } = await run(ctx, viewer, { kind, after: after ?? 0 })
      return { count, next: next === null ? null : String(next) }
    },
  }),
)

/** Failed jobs. */
export const adminDeadLetters = [
  readEndpoint({
    path,
    summary: 'Messages that nobody could run: the next 40; `next` goes on',
    auth: staff('admin:read', 'viewDevops'),
    input: z.object({ after: OptionalId }),
    output: DeadLetterPage,
    read: (ctx, { input }) => findDeadLetters(ctx, input.after ?? 0),
    show: (_ctx, { found: { count, letters, next } }) => ({
      count,
      dead_letters: letters.map(({ id, kind, diedAt, isRetryable }) => ({
        id: String(id),
        kind,
        died_at: diedAt.toISOString(),
        retryable: isRetryable,
      })),
      next: next === null ? null : String(next),
    }),
  }),
  ...one,
  ...many,
]
