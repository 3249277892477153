// Problems on the machine of the operator, in words they can act on.

/** A failure whose message is all a person needs; anything else is a defect and shows where it happened. */
export class Problem extends Error {}

/** Ends the process with 1 after the words of a problem, or after everything known of a defect. */
export function fail(failure) {
  console.error(failure instanceof Problem ? `\n${failure.message}` : failure)
  process.exit(1)
}
