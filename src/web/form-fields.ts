import * as z from 'zod'

/** A text field, cut at `maxLength`; empty where the form does not send it. */
export function textField(maxLength?: number) {
  return z.string().transform((text) => text.slice(0, maxLength))
}

/** A checkbox, which forms only send when it is ticked. */
export const checkbox = z.string().transform((text) => text === 'true')
