import { useTranslation } from '../i18n/context'

export interface PageLinksProps {
  /** The first page; null on the first page itself. */
  readonly newestUrl: string | null
  /** Null at the end. */
  readonly olderUrl: string | null
}

/** Leads through the pages of a list of posts. */
export function PageLinks({ newestUrl, olderUrl }: PageLinksProps) {
  const t = useTranslation()
  if (newestUrl === null && olderUrl === null) return null
  return (
    <nav class="pad two" aria-label={t('common.pages')}>
      {newestUrl !== null && (
        <a class="button" href={newestUrl}>
          {t('common.newestPosts')}
        </a>
      )}
      {olderUrl !== null && (
        <a class="button" href={olderUrl} rel="next">
          {t('common.olderPosts')}
        </a>
      )}
    </nav>
  )
}

/** Link to the next page of a list; null at its end. */
export function MoreLink({ href }: { readonly href: string | null }) {
  const t = useTranslation()
  if (href === null) return null
  return (
    <p>
      <a href={href} rel="next">
        {t('common.olderOnes')}
      </a>
    </p>
  )
}

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

/** Feeds of the posts on a page, for programs that read feeds. */
export interface FeedAddresses {
  readonly title: string
  readonly rss: string
  readonly atom: string
}

/** In the head of a page: readers of feeds look for these when they are given its address. */
export function FeedTags({ feeds: { title, rss, atom } }: { readonly feeds: FeedAddresses }) {
  return (
    <>
      <link rel="alternate" type="application/rss+xml" title={title} href={rss} />
      <link rel="alternate" type="application/atom+xml" title={title} href={atom} />
    </>
  )
}

/** Links to the feeds in the page itself. */
export function FeedLinks({ feeds: { rss, atom } }: { readonly feeds: FeedAddresses }) {
  const t = useTranslation()
  return (
    <p class="pad quiet small">
      {t.rich('layout.readFeedReaderRss', {
        rss: (words) => <a href={rss}>{words}</a>,
        atom: (words) => <a href={atom}>{words}</a>,
      })}
    </p>
  )
}
