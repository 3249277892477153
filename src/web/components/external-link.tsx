export interface ExternalLinkProps {
  readonly url: string
}

/** The address others gave for themselves: a link only when it is http(s), plain text otherwise. */
export function ExternalLink({ url }: ExternalLinkProps) {
  const address = URL.parse(url)
  const isWeb = address?.protocol === 'https:' || address?.protocol === 'http:'
  if (address === null || !isWeb) return <>{url}</>
  return (
    <a href={address.href} target="_blank" rel="nofollow noopener noreferrer">
      {address.host}
    </a>
  )
}
