import * as z from 'zod'
import { declareGroup, flag, given, id, option } from '../lib/command-line/declare.mjs'
import { findAccount } from '../lib/command-line/find-by-name.mjs'

const Entry = z.object({
  id: z.string(),
  created_at: z.string(),
  username: z.string(),
  action: z.string(),
  target_type: z.string(),
  target_id: z.string().nullable(),
  target_label: z.string(),
  before: z.record(z.string(), z.unknown()),
  after: z.record(z.string(), z.unknown()),
})

export const group = declareGroup({
  name: 'audit-log',
  summary: 'Administrative acts: who did what, with which effect',
  commands: [
    {
      name: 'list',
      summary: 'The last 100 acts, newest first',
      options: {
        by: option('NAME', 'Acts of one moderator'),
        type: option(
          'TYPE',
          'Acts on accounts (account), reports (report), settings, rule, role, terms_of_service …',
        ),
        id: option('ID', 'With --type: acts on one of them', id),
        all: flag('All acts, and not only the last 100'),
      },
      check: ({ by, type, id: target }) => {
        if (target !== undefined && type === undefined) return '--id needs --type'
        return by !== undefined && type !== undefined ? '--by and --type exclude each other' : null
      },
      calls: ['GET /api/fieldfare/v1/admin/accounts/lookup', 'GET /api/fieldfare/v1/admin/audit_log'],
      result: z.object({ entries: z.array(Entry) }),
      run: async ({ input: { by, type, id: target, all }, instance }) => {
        const moderator = by === undefined ? undefined : (await findAccount(instance, by)).id
        const filter = given({ account_id: moderator, target_type: type, target_id: target })
        const most = all ? undefined : 100
        return {
          entries: await instance.every('/api/fieldfare/v1/admin/audit_log', { limit: 100, ...filter }, most),
        }
      },
      lines: ({ entries }) => (entries.length === 0 ? ['Nothing was done yet.'] : entries.map(lineOf)),
    },
  ],
})

function lineOf({ created_at: at, username, action, target_type: kind, target_label: label, after }) {
  const change = Object.keys(after).length === 0 ? [] : [JSON.stringify(after)]
  return [at, username || 'the operator', action, kind, label || '-', ...change].join('  ')
}
