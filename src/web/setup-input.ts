import type * as z from 'zod'
import { validationFailed } from '../errors'
import { readParams } from '../lib/params'

/** What a script sent, by `schema`. */
export async function readInput<S extends z.ZodType>(request: Request, schema: S): Promise<z.output<S>> {
  const outcome = schema.safeParse(await readParams(request, {}))
  if (outcome.success) return outcome.data
  throw validationFailed(...outcome.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`))
}
