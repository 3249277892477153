import { Hono } from 'hono'
import * as z from 'zod'
import { Id } from '../contract/scalars'
import { all, execute, map, type Query } from '../db/query'
import type { Moderator } from '../domain/core/moderator'
import type { Page } from '../domain/core/page'
import {
  createCanonicalEmailBlock,
  deleteCanonicalEmailBlock,
  findCanonicalEmailBlocks,
} from '../domain/instance/blocks/canonical-email-blocks'
import {
  createEmailDomainBlock,
  deleteEmailDomainBlock,
  findEmailDomainBlocks,
} from '../domain/instance/blocks/email-domain-blocks'
import { createIpBlock, deleteIpBlock, findIpBlocks } from '../domain/instance/blocks/ip-blocks'
import {
  createUsernameBlock,
  deleteUsernameBlock,
  findUsernameBlocks,
} from '../domain/instance/blocks/username-blocks'
import type { Ctx } from '../ports/ctx'
import type { OperatorEnv } from './env'
import { readInput } from './input'

/** Newest blocks of each kind that the script lists. */
const mostListed = 500

/** A block as a line of the script shows it. */
interface Line {
  readonly kind: 'network' | 'domain' | 'email' | 'username'
  readonly id: string
  readonly of: string
  readonly words: readonly string[]
}

const approval = (isAllowed: boolean) => (isAllowed ? 'with approval' : 'refused')

function listed(ctx: Ctx, page: Page) {
  return execute(
    ctx.db,
    all<readonly Line[]>([
      mapLines(findIpBlocks(ctx, page), (row) => ({
        kind: 'network',
        of: row.ip,
        words: [
          row.severity,
          ...(row.expiresAt === null ? [] : [`until ${row.expiresAt.toISOString()}`]),
          ...(row.comment === '' ? [] : [`“${row.comment}”`]),
        ],
      })),
      mapLines(findEmailDomainBlocks(ctx, page), (row) => ({
        kind: 'domain',
        of: row.domain,
        words: [approval(row.allowWithApproval)],
      })),
      mapLines(findCanonicalEmailBlocks(ctx, page), (row) => ({
        kind: 'email',
        of: row.canonicalEmailHash,
        words: [],
      })),
      mapLines(findUsernameBlocks(ctx, page), (row) => ({
        kind: 'username',
        of: row.username,
        words: [row.exact ? 'equals' : 'contains', approval(row.allowWithApproval)],
      })),
    ]),
  )
}

const Added = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('network'),
    of: z.string(),
    severity: z.string().default('sign_up_block'),
    days: z.number().positive().exactOptional(),
    comment: z.string().default(''),
  }),
  z.object({ kind: z.literal('domain'), of: z.string(), approval: z.boolean().default(false) }),
  z.object({ kind: z.literal('email'), of: z.string() }),
  z.object({
    kind: z.literal('username'),
    of: z.string(),
    exact: z.boolean().default(false),
    approval: z.boolean().default(false),
  }),
])

const removals = {
  network: deleteIpBlock,
  domain: deleteEmailDomainBlock,
  email: deleteCanonicalEmailBlock,
  username: deleteUsernameBlock,
} as const
const Removed = z.object({ kind: z.enum(['network', 'domain', 'email', 'username']), id: Id })

/** Routes about sign-up blocks for operators without a panel. Mounted behind the set-up token. */
export function blockRoutes(): Hono<OperatorEnv> {
  const app = new Hono<OperatorEnv>()
  app.post('/setup/blocks/list', async (c) => {
    const kinds = await listed(c.get('ctx'), { limit: mostListed })
    return c.json({ blocks: kinds.flat() })
  })
  app.post('/setup/blocks/add', async (c) => {
    const { id } = await add(c.get('ctx'), c.get('moderator'), await readInput(c, Added))
    return c.json({ id: String(id) })
  })
  app.post('/setup/blocks/remove', async (c) => {
    const { kind, id } = await readInput(c, Removed)
    await removals[kind](c.get('ctx'), c.get('moderator'), id)
    return c.json({})
  })
  return app
}

function add(
  ctx: Ctx,
  moderator: Moderator,
  order: z.output<typeof Added>,
): Promise<{ readonly id: number }> {
  switch (order.kind) {
    case 'network': {
      const { of: ip, severity, comment, days } = order
      const expiresIn = days === undefined ? null : Math.round(days * 86_400)
      return createIpBlock(ctx, moderator, { ip, severity, comment, expiresIn })
    }
    case 'domain':
      return createEmailDomainBlock(ctx, moderator, { domain: order.of, allowWithApproval: order.approval })
    case 'email':
      return createCanonicalEmailBlock(ctx, moderator, addressOrHash(order.of))
    case 'username': {
      const { of: username, exact, approval: allowWithApproval } = order
      return createUsernameBlock(ctx, moderator, { username, exact, allowWithApproval })
    }
  }
}

function addressOrHash(text: string) {
  return text.includes('@') ? { email: text, hash: '' } : { email: '', hash: text }
}

function mapLines<Row extends { readonly id: number }>(
  query: Query<readonly Row[]>,
  lineOf: (row: Row) => Omit<Line, 'id'>,
): Query<readonly Line[]> {
  return map(query, (found) => found.map((row) => ({ ...lineOf(row), id: String(row.id) })))
}
