// Output whose reader ended, as with `| head`, or that cannot be written.
import { fail } from './problem.mjs'

/** Continues silently where the reader of the output has ended, so that a command is not interrupted. */
export function outliveReaders() {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (failure) => {
      if (failure.code !== 'EPIPE') fail(failure)
    })
}
