import * as z from 'zod'

/** The documented entity `Error`, under a name that does not shadow the language's own. */
export const ErrorBody = z
  .strictObject({
    error: z.string(),
    error_description: z.string().exactOptional(),
    // Sign-up only: the errors of each field.
    details: z
      .record(
        z.string(),
        z.array(
          z.strictObject({ error: z.string().exactOptional(), description: z.string().exactOptional() }),
        ),
      )
      .exactOptional(),
  })
  .meta({ id: 'Error' })
export type ErrorBody = z.infer<typeof ErrorBody>
