import { useContext } from 'hono/jsx'
import { usualLook } from '../../../contract/look'
import { LocalizedContext, useTranslation } from '../../i18n/context'
import { PageProvider, usePage } from '../../page-context'
import { paths } from '../../paths'
import { Panel } from './panel'
import { TextSetting, Unsaved } from './text-setting'

/** Form of the style sheet that sets tokens. */
export function StyleSheet({ styleSheet }: { readonly styleSheet: string }) {
  const t = useTranslation()
  return (
    <TextSetting
      id="sheet"
      heading={t('admin.branding.coloursFonts')}
      action={`${paths.branding}/style-sheet`}
      hasPreview
      name="styleSheet"
      label={t('admin.branding.styleSheet')}
      hint={t('admin.branding.styleSheet.hint')}
      value={styleSheet}
      rows={8}
      maxlength={8_192}
    />
  )
}

/** Form of the CSS with rules of its own. */
export function CustomCss({ css }: { readonly css: string }) {
  const t = useTranslation()
  return (
    <TextSetting
      id="css"
      heading={t('admin.branding.css')}
      action={`${paths.branding}/css`}
      name="customCss"
      label={t('admin.branding.css')}
      hint={t('admin.branding.css.hint')}
      value={css}
      rows={10}
      maxlength={32_768}
    />
  )
}

export interface StyleSheetPreviewProps {
  readonly styleSheet: string
  /** Path of the style sheet with its tokens; null where it sets none. */
  readonly path: string | null
}

/**
 * A page with a style sheet that is not saved, and pieces of pages in it in the light and the dark theme. It has the look of
 * visitors: colours that the administrator chose for themself would stand over those of the sheet.
 */
export function StyleSheetPreview({ styleSheet, path }: StyleSheetPreviewProps) {
  const t = useTranslation()
  const page = usePage()
  return (
    <LocalizedContext.Provider value={{ ...useContext(LocalizedContext), look: usualLook }}>
      <PageProvider value={{ ...page, site: { ...page.site, ownSheet: path } }}>
        <Panel title={t('admin.branding.styleSheetPreview')} current={paths.branding}>
          <Unsaved action={`${paths.branding}/style-sheet`} value={{ styleSheet }}>
            <ul class="samples">
              <Pieces theme="light" />
              <Pieces theme="dark" />
            </ul>
          </Unsaved>
        </Panel>
      </PageProvider>
    </LocalizedContext.Provider>
  )
}

/** Texts, buttons and marks in one theme, whichever the device has. None of them can be pressed. */
function Pieces({ theme }: { readonly theme: 'light' | 'dark' }) {
  const t = useTranslation()
  const [text, button] = [t('admin.branding.sampleText'), t('admin.branding.sampleButton')]
  return (
    <li class={`theme-sample in-${theme}`}>
      <h3>{t(theme === 'light' ? 'settings.appearance.light' : 'settings.appearance.dark')}</h3>
      <div class="block" inert>
        <p>
          {text} <span class="quiet">{text}</span>{' '}
          <a href={paths.branding}>{t('admin.branding.sampleLink')}</a>
        </p>
        <p class="note">{text}</p>
        <div class="actions">
          <span class="button main">{button}</span>
          <span class="button">{button}</span>
          <span class="button danger">{button}</span>
          <span class="chip" aria-current="true">
            {t('admin.branding.sampleChosen')}
          </span>
        </div>
        <pre class="code-to-copy">{text}</pre>
      </div>
    </li>
  )
}
