import { raw } from 'hono/html'
import type { Child } from 'hono/jsx'
import { type Asset, assetPath } from '../../lib/assets'
import { explorePages } from '../explore-places'
import { hasErrors } from '../form-errors'
import { useLook, useTranslation } from '../i18n/context'
import { usePage } from '../page-context'
import { paths } from '../paths'
import { AccountNoticeBanner } from './account-notice'
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

export interface LayoutProps extends HeadProps {
  /** `narrow` for forms (also looks right in a 400 x 600 pop-up), `text` for reading, `wide` for the rest. */
  readonly width: 'narrow' | 'text' | 'wide'
  /** Whether `children` hold a menu before the content, which then carries `contentTarget` itself. */
  readonly hasMenu?: boolean
  readonly children?: Child
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

export function Layout(props: LayoutProps) {
  const { width, hasMenu = false, children } = props
  const { site, viewer } = usePage()
  const t = useTranslation()
  return (
    <WholePage>
      <Head {...props} sheet="style.css" />
      <body class={`page page-${width}`}>
        <a class="skip-link" href={`#${contentTarget.id}`}>
          {t('layout.skipToContent')}
        </a>
        <header class="site-header">
          <a class="site-name" href={paths.front}>
            <img src={assetPath('logo.svg')} alt="" width="32" height="32" />
            <span>{site.title}</span>
          </a>
          {width !== 'narrow' && <Places />}
          {viewer !== null && (
            <a class="site-viewer" href={paths.menu}>
              <img class="avatar" src={viewer.avatarUrl} alt="" width="28" height="28" />
              <span>
                {t.rich('layout.signedName', {
                  hidden: (words) => <span class="visually-hidden">{words}</span>,
                  name: <bdi>@{viewer.acct}</bdi>,
                })}
              </span>
            </a>
          )}
        </header>
        <AccountNoticeBanner />
        <main class="site-main" {...(hasMenu ? {} : contentTarget)}>
          {children}
        </main>
        <Footer />
      </body>
    </WholePage>
  )
}

/** Links to home, to what there is to explore, and for visitors to sign-in. Forms go without: they have one errand. */
function Places() {
  const { site, viewer } = usePage()
  const t = useTranslation()
  const [place] = site.places
  return (
    <nav class="site-places" aria-label={t('layout.onThisServer')}>
      {viewer !== null && <a href={paths.home}>{t('client.home')}</a>}
      {place !== undefined && <a href={explorePages[place].path}>{t('common.explore')}</a>}
      {viewer === null && <a href={paths.signIn}>{t('common.signIn')}</a>}
    </nav>
  )
}

/** The document around head and body, with the look that the account chose: no script, and no change once it shows. */
export function WholePage({ children }: { readonly children: Child }) {
  const { language, direction } = useTranslation()
  const { theme, contrast, textSize } = useLook()
  const look = {
    'data-theme': theme ?? undefined,
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

export function Head(props: HeadProps & { readonly sheet: Asset }) {
  const { title, sheet, isPrivate, preview, about, canonicalUrl = about?.url, feeds } = props
  const { site, errors } = usePage()
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
      <link rel="icon" href={assetPath('logo.svg')} type="image/svg+xml" />
      <link rel="apple-touch-icon" href={assetPath('apple-touch-icon.png')} />
      <link rel="manifest" href={paths.manifest} />
      <link rel="stylesheet" href={assetPath(sheet)} />
    </head>
  )
}

/** `--ground` of the themes: the colour of the browser's frame, and before the style arrives. */
const grounds = { light: '#f4eee5', dark: '#12161b' } as const

function ColourTags() {
  const { theme } = useLook()
  if (theme !== null)
    return (
      <>
        <meta name="color-scheme" content={theme} />
        <meta name="theme-color" content={grounds[theme]} />
      </>
    )
  return (
    <>
      <meta name="color-scheme" content="light dark" />
      <meta name="theme-color" media="(prefers-color-scheme: light)" content={grounds.light} />
      <meta name="theme-color" media="(prefers-color-scheme: dark)" content={grounds.dark} />
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

function Footer() {
  const t = useTranslation()
  const { site } = usePage()
  return (
    <footer class="site-footer">
      <nav aria-label={t('common.aboutThisServer')}>
        <a href={paths.about}>{t('common.about')}</a>
        <a href={paths.rules}>{t('field.rules')}</a>
        <a href={paths.privacy}>{t('layout.privacy')}</a>
        {site.hasTerms && <a href={paths.terms}>{t('layout.terms')}</a>}
      </nav>
      {/* The licence (AGPL) asks that every visitor is offered the source. */}
      <p>
        {t.rich('layout.domainRunsFieldfareVersion', {
          domain: site.domain,
          version: site.version,
          source: (words) => (
            <a href={site.sourceUrl} rel="noopener">
              {words}
            </a>
          ),
        })}
      </p>
    </footer>
  )
}
