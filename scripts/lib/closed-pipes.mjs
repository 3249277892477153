// Output that somebody stopped reading, as with `| head`, or that cannot be written.
import { fail } from './problem.mjs'

/** Goes on in silence where the reader of the output has closed its end: a command is not cut off in the middle. */
export function outliveReaders() {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (failure) => {
      if (failure.code !== 'EPIPE') fail(failure)
    })
}
