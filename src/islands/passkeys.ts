// Pages with passkeys: asks the browser for a passkey and sends its answer with the form around the button.
import { find, findAll, wordsIn } from './lib/page'
import { answerJson, creationOptions, isPasskey, requestOptions } from './lib/passkey'

/** Reasons a browser gives, by their names. */
const reasons = ['NotAllowedError', 'InvalidStateError', 'NotSupportedError'] as const

async function ask({ dataset: { passkey, options = '' } }: HTMLFormElement): Promise<string> {
  const credential =
    passkey === 'create'
      ? await navigator.credentials.create({ publicKey: creationOptions(JSON.parse(options)) })
      : await navigator.credentials.get({ publicKey: requestOptions(JSON.parse(options)) })
  if (!isPasskey(credential)) throw new Error('The browser gave no passkey')
  return JSON.stringify(answerJson(credential))
}

function prepare(form: HTMLFormElement): void {
  const words = wordsIn(form.dataset, [...reasons, 'other'])
  const alert = find(form, '[role=alert]', HTMLElement)
  const field = find(form, 'input[name=credential]', HTMLInputElement)
  form.hidden = false
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    alert.hidden = true
    try {
      field.value = await ask(form)
      form.submit()
    } catch (failure) {
      const reason = reasons.find((name) => failure instanceof Error && failure.name === name)
      alert.textContent = words(reason ?? 'other')
      alert.hidden = false
    }
  })
}

if ('PublicKeyCredential' in window)
  for (const form of findAll(document, 'form[data-passkey]', HTMLFormElement)) prepare(form)
