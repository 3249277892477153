/** Paths of the files that a page of this server cannot be shown without, as its HTML names them. */
export function filesOfPage(html: string): readonly string[] {
  const found = html.matchAll(/(?:href|src)="(\/assets\/[^"#]+)/g)
  return [...new Set([...found].map(([, path = '']) => path.replaceAll('&amp;', '&')))]
}

/** Form that tells the server the address of this browser at its push service, as the settings page has it. */
export interface PushForm {
  /** Public key that the server signs its messages with. */
  readonly key: string
  readonly fields: Readonly<Record<string, string>>
}

/** The form of the settings page; null where the account that is active has no notifications on in this browser. */
export function pushFormIn(html: string): PushForm | null {
  const form = /<form[^>]*data-push="on".*?<\/form>/s.exec(html)?.[0] ?? ''
  const key = /data-key="([^"]+)"/.exec(form)?.[1]
  if (key === undefined || !form.includes('data-is-on="true"')) return null
  const inputs = form.matchAll(/name="(csrf_token|acting_as)" value="([^"]*)"/g)
  return { key, fields: Object.fromEntries([...inputs].map(([, name = '', value = '']) => [name, value])) }
}
