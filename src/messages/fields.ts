import * as z from 'zod'

/** A row id, in facts and commands alike. */
export const id = z.number().int()
