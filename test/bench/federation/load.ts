/** Signed deliveries, made beforehand. */
export interface Load {
  /** Of the sender, as PEM. */
  readonly publicKey: string
  readonly deliveries: readonly {
    readonly headers: Readonly<Record<string, string>>
    readonly body: string
  }[]
}

/** Each delivery as the request a server would receive. */
export function* requests({ deliveries }: Load, url: string): Generator<Request> {
  for (const { headers, body } of deliveries) yield new Request(url, { method: 'POST', headers, body })
}
