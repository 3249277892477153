import * as z from 'zod'
import { arg, declareGroup } from '../lib/command-line/declare.mjs'
import { plain } from '../lib/command-line/text.mjs'

const marks = { passed: 'ok    ', failed: 'FAILED', skipped: 'skip  ' }

export const group = declareGroup({
  name: 'federation',
  summary: 'Exchange with other servers',
  commands: [
    {
      name: 'check',
      summary: 'Tries each step with a server and explains it; the exit code is 1 where one failed',
      args: [arg('HOST', 'Domain of the other server, as in handles of its accounts')],
      route: 'POST /api/fieldfare/v1/admin/federation/check',
      result: z.object({
        host: z.string(),
        steps: z.array(
          z.object({ step: z.string(), outcome: z.enum(Object.keys(marks)), explanation: z.string() }),
        ),
      }),
      body: (input) => input,
      codeOf: ({ steps }) => (steps.some(({ outcome }) => outcome === 'failed') ? 1 : 0),
      lines: ({ steps }) =>
        steps.map(({ step, outcome, explanation }) =>
          plain(`${marks[outcome]}  ${step.padEnd(9)}  ${explanation}`),
        ),
    },
  ],
})
