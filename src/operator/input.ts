import type { Context } from 'hono'
import type * as z from 'zod'
import { InvalidParameters } from '../errors'
import { problemsOfShape, wordsOfShape } from '../errors/shapes'
import { readParams } from '../lib/params'
import type { OperatorEnv } from './env'

/** Parses a script's input by `schema`. */
export async function readInput<S extends z.ZodType>(
  c: Context<OperatorEnv>,
  schema: S,
): Promise<z.output<S>> {
  const params = await readParams(c.get('ctx').bodies, c.req.raw, { kind: 'text' })
  const outcome = schema.safeParse(params, { error: wordsOfShape })
  if (outcome.success) return outcome.data
  const reasons = outcome.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`).join(', ')
  throw new InvalidParameters(reasons, problemsOfShape(outcome.error.issues))
}
