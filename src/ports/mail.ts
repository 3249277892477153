/** An email to one recipient. The sender is configured by the operator. */
export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  /** HTML form of `text`. */
  readonly html?: string
  /** Headers that Cloudflare lets senders set; it makes `Message-ID`, `Date` and the MIME headers itself. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Permanent failure: the recipient's address or the email itself was refused for good. */
export class MailRefused extends Error {
  constructor(cause: unknown) {
    super('The mail was refused', { cause })
    this.name = 'MailRefused'
  }
}
