import type { Context } from 'hono'
import type * as z from 'zod'
import { validationFailed } from '../errors'
import { readParams } from '../lib/params'
import type { OperatorEnv } from './env'

/** Parses a script's input by `schema`. */
export async function readInput<S extends z.ZodType>(
  c: Context<OperatorEnv>,
  schema: S,
): Promise<z.output<S>> {
  const outcome = schema.safeParse(await readParams(c.get('ctx').bodies, c.req.raw, { kind: 'text' }))
  if (outcome.success) return outcome.data
  throw validationFailed(...outcome.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`))
}
