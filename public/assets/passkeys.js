// Script of the pages with passkeys: asks the browser for a passkey and sends its answer with the form around the button.
// Conversions by hand, because browsers of 2024 lack `PublicKeyCredential.parseCreationOptionsFromJSON`.

function toBytes(text) {
  const base64 = text.replaceAll('-', '+').replaceAll('_', '/')
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}

function toText(buffer) {
  const binary = String.fromCharCode(...new Uint8Array(buffer))
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

function withBytes(options) {
  const toDescriptor = (credential) => ({ ...credential, id: toBytes(credential.id) })
  return {
    ...options,
    challenge: toBytes(options.challenge),
    ...(options.user && { user: { ...options.user, id: toBytes(options.user.id) } }),
    ...(options.allowCredentials && { allowCredentials: options.allowCredentials.map(toDescriptor) }),
    ...(options.excludeCredentials && { excludeCredentials: options.excludeCredentials.map(toDescriptor) }),
  }
}

function toJson({ id, rawId, type, response }) {
  const parts = ['clientDataJSON', 'attestationObject', 'authenticatorData', 'signature', 'userHandle']
  const answer = Object.fromEntries(
    parts.filter((part) => response[part]).map((part) => [part, toText(response[part])]),
  )
  if (response.getTransports) {
    answer.transports = response.getTransports()
    // Part of the attestation object.
    delete answer.authenticatorData
  }
  return { id, rawId: toText(rawId), type, clientExtensionResults: {}, response: answer }
}

async function answer(form) {
  const publicKey = withBytes(JSON.parse(form.dataset.options))
  const credential =
    form.dataset.passkey === 'create'
      ? await navigator.credentials.create({ publicKey })
      : await navigator.credentials.get({ publicKey })
  form.elements.credential.value = JSON.stringify(toJson(credential))
  form.submit()
}

function prepare(form) {
  const alert = form.querySelector('[role=alert]')
  form.hidden = false
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    alert.hidden = true
    answer(form).catch((failure) => {
      // Reasons a browser gives, by their names, in the reader's language.
      const words = JSON.parse(form.dataset.words)
      alert.textContent = words[failure.name] ?? words.other
      alert.hidden = false
    })
  })
}

if (window.PublicKeyCredential) for (const form of document.querySelectorAll('form[data-passkey]')) prepare(form)
