/**
 * Stands in for the library that markdown-it finds bare addresses with: that is switched off here, our own reading of
 * texts finds them, and the library would be a hundredth of the bundle.
 */
export class LinkifyIt {}
