export function readTar(source: AsyncIterable<Uint8Array>): AsyncIterable<{
  readonly name: string
  readonly size: number
  readonly chunks: AsyncIterable<Uint8Array>
}>
