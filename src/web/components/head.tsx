import { raw } from 'hono/html'
import type { Child } from 'hono/jsx'
import { type Asset, assetPath } from '../../lib/assets'
import { hasErrors } from '../form-errors'
import { grounds } from '../grounds'
import { useLook, useTranslation } from '../i18n/context'
import { usePage } from '../page-context'
import { paths } from '../paths'
import { type FeedAddresses, FeedTags } from './page-links'

export interface HeadProps {
  readonly title: string
  /** Pages about a person or an errand stay out of search engines. */
  readonly isPrivate?: boolean
  readonly preview?: LinkPreview
  /** Object the page is about, if it has an address of its own. */
  readonly about?: AboutLinks
  /** Canonical address of a page without such an object. */
  readonly canonicalUrl?: string
  readonly feeds?: FeedAddresses | null
}

/** Attributes of the element that the skip link leads to. */
export const contentTarget = { id: 'content', tabindex: -1 } as const

/** Link preview that other servers and messengers show for the address of the page. */
export interface LinkPreview {
  readonly kind?: 'website' | 'profile' | 'article'
  readonly url: string
  /** Title that differs from that of the page. */
  readonly title?: string
  readonly description: string
  readonly imageUrl: string
}

/** Canonical address of a page, and the same object for programs that speak ActivityPub. */
export interface AboutLinks {
  readonly url: string
  readonly activityUri: string
  /** oEmbed document, if other pages may embed or preview it. */
  readonly oembedUrl?: string
}

/** The document around head and body, with the look that the account chose: no script, and no change once it shows. */
export function WholePage({ children }: { readonly children: Child }) {
  const { language, direction } = useTranslation()
  const { theme, palette, contrast, textSize } = useLook()
  const look = {
    'data-theme': theme ?? undefined,
    'data-palette': palette ?? undefined,
    'data-contrast': contrast ?? undefined,
    'data-text': textSize ?? undefined,
  }
  return (
    <>
      {raw('<!DOCTYPE html>')}
      <html lang={language} dir={direction} {...look}>
        {children}
      </html>
    </>
  )
}

/**
 * Makes browsers paint a page once it has come as a whole: buttons and heads would move as their neighbours come in. No element has
 * this id. As text, because JSX leaves `blocking` out.
 */
const wholeAtOnce = raw('<link rel="expect" href="#end-of-page" blocking="render"/>')

export function Head(props: HeadProps & { readonly sheets?: readonly Asset[] }) {
  const {
    title,
    sheets = ['client.css'],
    isPrivate,
    preview,
    about,
    canonicalUrl = about?.url,
    feeds,
  } = props
  const { site, errors } = usePage()
  const { palette } = useLook()
  const t = useTranslation()
  const heading = title === site.title ? title : `${title} · ${site.title}`
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <ColourTags />
      {/* Addresses hold tokens. `no-referrer` would also blank the Origin header that forms are checked by. */}
      <meta name="referrer" content="same-origin" />
      {isPrivate && <meta name="robots" content="noindex" />}
      {preview && <PreviewTags title={title} preview={preview} />}
      {wholeAtOnce}
      {canonicalUrl && <link rel="canonical" href={canonicalUrl} />}
      {feeds && <FeedTags feeds={feeds} />}
      {about && (
        <>
          <link rel="alternate" type="application/activity+json" href={about.activityUri} />
          {about.oembedUrl && <link rel="alternate" type="application/json+oembed" href={about.oembedUrl} />}
        </>
      )}
      {/* Screen readers hear the title first, so a failed form says so there. */}
      <title>{hasErrors(errors) ? t('layout.errorHeading', { heading }) : heading}</title>
      {site.logo === null ? (
        <link rel="icon" href={assetPath('logo.svg')} type="image/svg+xml" />
      ) : (
        <link rel="icon" href={site.logo.small} />
      )}
      <link rel="apple-touch-icon" href={site.logo?.large ?? assetPath('apple-touch-icon.png')} />
      <link rel="manifest" href={paths.manifest} />
      {sheets.map((sheet) => (
        <link rel="stylesheet" href={assetPath(sheet)} />
      ))}
      {site.accentSheet !== null && <link rel="stylesheet" href={site.accentSheet} />}
      {site.ownSheet !== null && <link rel="stylesheet" href={site.ownSheet} />}
      {palette !== null && <link rel="stylesheet" href={assetPath('themes.css')} />}
      {site.customSheet !== null && <link rel="stylesheet" href={site.customSheet} />}
    </head>
  )
}

function ColourTags() {
  const { theme, palette } = useLook()
  const ground = grounds[palette ?? 'usual']
  if (theme !== null)
    return (
      <>
        <meta name="color-scheme" content={theme} />
        <meta name="theme-color" content={ground[theme]} />
      </>
    )
  return (
    <>
      <meta name="color-scheme" content="light dark" />
      <meta name="theme-color" media="(prefers-color-scheme: light)" content={ground.light} />
      <meta name="theme-color" media="(prefers-color-scheme: dark)" content={ground.dark} />
    </>
  )
}

function PreviewTags({ title, preview }: { readonly title: string; readonly preview: LinkPreview }) {
  const { site } = usePage()
  return (
    <>
      <meta name="description" content={preview.description} />
      <meta property="og:type" content={preview.kind ?? 'website'} />
      <meta property="og:site_name" content={site.title} />
      <meta property="og:title" content={preview.title ?? title} />
      <meta property="og:description" content={preview.description} />
      <meta property="og:url" content={preview.url} />
      <meta property="og:image" content={preview.imageUrl} />
    </>
  )
}
