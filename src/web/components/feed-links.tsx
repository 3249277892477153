import { useTranslation } from '../i18n/context'
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
    <p class="muted">
      {t.rich('layout.readFeedReaderRss', {
        rss: (words) => <a href={rss}>{words}</a>,
        atom: (words) => <a href={atom}>{words}</a>,
      })}
    </p>
  )
}
