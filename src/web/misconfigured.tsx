import type { Child } from 'hono/jsx'
import type { BadConfiguration } from '../config'
import { assetPath } from '../lib/assets'
import { createTranslate } from '../lib/translate'
import type { AppContext } from '../ports/app-env'
import type { Catalogues } from '../ports/ctx'
import { WholePage } from './components/head'
import { pageSheets } from './components/layout'
import { wantsJson } from './error-response'
import { LocalizedContext, useTranslation } from './i18n/context'
import { visitorOf } from './i18n/reader'

const softwareName = 'Fieldfare'

const headers = {
  'Cache-Control': 'no-store',
  // The client may be a page of another site, which has to be able to read the reason.
  'Access-Control-Allow-Origin': '*',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; frame-ancestors 'none'; base-uri 'none'",
  'X-Content-Type-Options': 'nosniff',
  // Remote servers retry their deliveries after this time.
  'Retry-After': '300',
}

/** Answers any request to a server that cannot run: without configuration, database or title. */
export async function showMisconfigured(
  c: AppContext,
  { message }: BadConfiguration,
  catalogues: Catalogues,
): Promise<Response> {
  if (wantsJson(c)) return c.json({ error: message }, 503, headers)
  const reader = visitorOf(c.req.raw)
  const t = createTranslate<Child>(reader.language, await catalogues.load(reader.language))
  return c.html(
    <LocalizedContext.Provider value={{ reader, t }}>
      <MisconfiguredPage problem={message} />
    </LocalizedContext.Provider>,
    503,
    headers,
  )
}

/** `problem` names variables for the operator, in English. */
function MisconfiguredPage({ problem }: { readonly problem: string }) {
  const t = useTranslation()
  return (
    <WholePage>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>{t('error.misconfigured.notSetUp')}</title>
        <link rel="icon" href={assetPath('logo.svg')} type="image/svg+xml" />
        {pageSheets.map((sheet) => (
          <link rel="stylesheet" href={assetPath(sheet)} />
        ))}
      </head>
      <body class="shell alone">
        <header class="nav">
          <span class="brand">
            <img src={assetPath('logo.svg')} alt="" width="36" height="36" />
            <span class="word">{softwareName}</span>
          </span>
        </header>
        <main class="column">
          <div class="head">
            <img class="phone mark" src={assetPath('logo.svg')} alt="" width="32" height="32" />
            <h1>{t('error.misconfigured.notSetUp')}</h1>
          </div>
          <div class="block">
            <p class="quiet">503</p>
            <p dir="auto">{problem}</p>
            <p class="quiet small">{t('error.misconfigured.onlyPeopleWhoRun')}</p>
          </div>
        </main>
      </body>
    </WholePage>
  )
}
