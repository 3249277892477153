import type { Child } from 'hono/jsx'
import { useTranslation } from '../i18n/context'
import type { PasskeyOptions } from '../passkey-options'
import { CsrfField } from './form'
import { IslandScript } from './island-script'
import { TypedContext, useSentForm } from './typed-values'

export interface PasskeyFormProps {
  readonly action: string
  /** Makes a passkey, or uses one. */
  readonly act: 'create' | 'get'
  readonly options: PasskeyOptions
  readonly hidden?: Readonly<Record<string, string | null>>
  readonly children?: Child
}

/**
 * A form whose button asks the browser for a passkey and sends its answer. Passkeys exist only for scripts, so it is
 * shown by one (passkeys.ts); without it stays what is in `noscript`.
 */
export function PasskeyForm({ action, act, options, hidden = {}, children }: PasskeyFormProps) {
  const t = useTranslation()
  const typed = useSentForm(action, hidden)
  // By the names of browser errors. Cancelling shows no alarming text.
  const words = {
    NotAllowedError: t('passkey.didNotHappenCancelled'),
    InvalidStateError: t('passkey.deviceHoldsPasskeyAccount'),
    NotSupportedError: t('passkey.deviceCannotKeepPasskey'),
    other: t('passkey.browserCouldNotDo'),
  }
  return (
    <>
      <form
        method="post"
        action={action}
        class="form"
        data-passkey={act}
        data-options={JSON.stringify(options)}
        data-words={JSON.stringify(words)}
        hidden
      >
        <CsrfField />
        <input type="hidden" name="credential" value="" />
        {Object.entries(hidden).map(
          ([name, value]) => value !== null && <input type="hidden" name={name} value={value} />,
        )}
        <TypedContext.Provider value={typed}>{children}</TypedContext.Provider>
        <p class="error" role="alert" hidden></p>
      </form>
      <noscript>
        <p class="quiet small">{t('passkey.passkeysNeedJavaScript')}</p>
      </noscript>
      <IslandScript name="passkeys.js" />
    </>
  )
}
