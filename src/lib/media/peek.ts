/** Enough to detect every type. */
const sniffedBytes = 4_096

/** The beginning of a stream, and the complete stream again. */
export async function peek(body: ReadableStream): Promise<{ head: Uint8Array; whole: ReadableStream }> {
  const reader = body.getReader()
  const chunks: Uint8Array[] = []
  let length = 0
  while (length < sniffedBytes) {
    const { done, value } = await reader.read()
    if (done) break
    if (!(value instanceof Uint8Array)) throw new TypeError('A body that is no bytes')
    chunks.push(value)
    length += value.byteLength
  }
  const whole = new ReadableStream({
    start: (controller) => {
      for (const chunk of chunks) controller.enqueue(chunk)
    },
    pull: async (controller) => {
      const { done, value } = await reader.read()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: (reason) => reader.cancel(reason),
  })
  return { head: new Uint8Array(await new Blob(chunks).arrayBuffer()), whole }
}
