import punycode from 'node:punycode'

/** Stands in for `punycode.js`, by which markdown-it writes host names: the runtime brings the same library. */
export default punycode
