/** The oldest engines that play: Chromium in televisions of 2021, and Safari of iOS 15.4. */
export const oldestBrowsers = ['chrome76', 'safari15.4'];
