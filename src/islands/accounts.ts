// Page of the accounts of a browser: forgets what the device keeps for an account that signed out while others stay.
import { forgetAccount } from './lib/device-storage'

const left = document.querySelector('[data-left]')
if (left instanceof HTMLElement) forgetAccount(left.dataset['left'] ?? '', [localStorage, sessionStorage])
