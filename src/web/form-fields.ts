import * as z from 'zod'

/** A text field, cut at `maxLength`; empty where the form does not send it. */
export function textField(maxLength?: number) {
  return z.string().transform((text) => text.slice(0, maxLength))
}

/** A checkbox, which forms only send when it is ticked. */
export const checkbox = z.string().transform((text) => text === 'true')

/** A file as bytes; null where none was chosen. Browsers send an empty one for an untouched field. */
export const uploadField = z
  .instanceof(Uint8Array)
  .nullable()
  .transform((bytes) => (bytes === null || bytes.byteLength === 0 ? null : bytes))

/** The whole number above zero in a parameter; undefined for anything else. */
export function positiveNumber(text: string): number | undefined {
  const number = Number(text)
  return Number.isSafeInteger(number) && number > 0 ? number : undefined
}
