import * as z from 'zod'
import { declareCommand } from '../lib/command-line/declare.mjs'
import { bytesText } from '../lib/command-line/text.mjs'

const Quota = z.object({
  name: z.string(),
  period: z.enum(['day', 'month', 'total']),
  used: z.number(),
  limit: z.int(),
  share: z.number(),
  hard: z.boolean(),
  forecast: z.int().nullable(),
  full_at: z.string().nullable(),
})

const endOf = { day: 'by midnight UTC', month: 'by the end of the month', total: 'in 30 days' }

export const command = declareCommand({
  name: 'usage',
  summary: 'Usage of each quota of Cloudflare with a forecast, and what is given up to stay within them',
  route: 'GET /api/fieldfare/v1/admin/usage',
  result: z.object({
    plan: z.enum(['free', 'paid']),
    measured_at: z.string(),
    resets_at: z.string(),
    paused: z.array(z.string()),
    quotas: z.array(Quota),
    outgoing_requests: z.int(),
    statements: z.int(),
  }),
  lines: ({ plan, resets_at: resetsAt, paused, quotas }) => [
    `plan ${plan}; quotas of a day begin anew at ${resetsAt.slice(0, 16)} UTC`,
    ...(paused.length === 0
      ? ['nothing is given up']
      : [`given up until then: ${paused.map(readable).join(', ')}`]),
    '',
    ...quotas.map(quotaLine),
  ],
})

function quotaLine({ name, period, used, limit, share, forecast, full_at: fullAt, hard }) {
  const amount = `${figure(name, used)} of ${figure(name, limit)}`
  const percent = `${(share * 100).toFixed(1)} %`
  const title = `${readable(name)}${period === 'total' ? '' : ` a ${period}`}`
  const expected = forecast === null ? '' : `; ${figure(name, forecast)} expected ${endOf[period]}`
  const reached = hard ? 'full' : 'beyond what is included'
  const end = fullAt === null ? '' : `; ${reached} at ${fullAt.slice(0, 16)} UTC`
  return `${title.padEnd(29)} ${percent.padStart(7)}  ${amount}${expected}${end}`
}

function readable(name) {
  return name.replaceAll('_', ' ')
}

function figure(name, amount) {
  if (name.endsWith('_bytes')) return bytesText(amount)
  return Math.round(amount).toLocaleString('en')
}
