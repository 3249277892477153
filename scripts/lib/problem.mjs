// Problems on the operator's machine, as sentences they can act on.

/** A failure whose message is all a person needs; anything else is a defect and shows where it happened. */
export class Problem extends Error {}

/** Refusals of the system by their codes. */
const refusals = {
  EACCES: (path) => `This user may not read or write ${path}. Whose is it, and what may others do there?`,
  EPERM: (path) => `This user may not change ${path}. Whose is it, and what may others do there?`,
  EROFS: (path) => `${path} cannot be written: it is on a disk that is mounted to be read only.`,
  ENOSPC: (path) => `${path} cannot be written: the disk is full. Make room, and start again.`,
  EDQUOT: (path) =>
    `${path} cannot be written: the quota of this user is used up. Make room, and start again.`,
  ENOTDIR: (path) => `${path} cannot be used: what has to be a folder there is a file.`,
  EEXIST: (path) => `${path} cannot be made: something else has that name.`,
  EISDIR: (path) => `${path} cannot be used: what has to be a file there is a folder.`,
}

/** The failure as a sentence: a problem as it is, a system error as one; null for a defect. */
export function problemOf(failure) {
  if (failure instanceof Problem) return failure
  const { code, path, dest } = failure ?? {}
  if (typeof code !== 'string' || !Object.hasOwn(refusals, code)) return null
  return new Problem(refusals[code](dest ?? path ?? 'What this command writes'))
}

/** Ends the process with 1 after the words of a problem, or after everything known of a defect. */
export function fail(failure) {
  const problem = problemOf(failure)
  console.error(problem === null ? failure : `\n${problem.message}`)
  process.exit(1)
}
