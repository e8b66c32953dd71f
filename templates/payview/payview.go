// Package payview renders what only the withdrawal desk shows: the reasons for a risk score.
package payview

import "candor/app/platform/i18n"

var t = i18n.T
