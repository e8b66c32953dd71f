package stream

import (
	"candor/app/wire"
	"encoding/json"
)

// The message types of the spec, and two of our own for the 24-hour figures.
const (
	typeHeartbeat      = 1
	typeOrder          = 2 // to the client: fills, margin calls, cash movements
	typeBalance        = 3 // to the client: statistics and open positions
	typeUser           = 9 // from the client: whose events it subscribes to; to the client: the chat with agents
	typePrice          = 12
	typePreheat        = 13
	typeHot            = 14
	typeLogin          = 15
	typeCurrencyTicker = 16
	typeForeignTicker  = 17
	typeControl        = 999
)

// message is a frame to the client. Seq counts a socket's private messages, so that the client notices a gap.
type message struct {
	Type int   `json:"type"`
	Seq  int64 `json:"seq,omitempty"`
	Data any   `json:"data,omitempty"`
}

// request is a frame from the client.
type request struct {
	Type int             `json:"type"`
	Data json.RawMessage `json:"data"`
}

type priceLine struct {
	ProductID int    `json:"productId"`
	Price     string `json:"price"`
	Bid       string `json:"bid"`
	Ask       string `json:"ask"`
	Spread    string `json:"spread"`
	Sequence  int64  `json:"sequence"`
	Time      int64  `json:"time"`
	Halted    bool   `json:"halted"` // display only: the product can't be traded until its feed is accepted again
}

type tickerLine struct {
	ProductID    int    `json:"productId"`
	Open24Hours  string `json:"open24Hours"`
	Close24Hours string `json:"close24Hours"`
	High24Hours  string `json:"high24Hours"`
	Low24Hours   string `json:"low24Hours"`
}

type orderEvent struct {
	Event      string           `json:"event"` // fill, order, margin_call, balance
	Fill       *wire.Fill       `json:"fill,omitempty"`
	Position   *wire.Position   `json:"position,omitempty"`
	Order      *wire.Order      `json:"order,omitempty"` // the pending order that changed
	Statistics *wire.Statistics `json:"statistics,omitempty"`
}

type balanceEvent struct {
	Statistics wire.Statistics `json:"statistics"`
	Positions  []wire.Position `json:"positions"`
}

type controlEvent struct {
	Event string `json:"event"` // token_invalid, switches, notices
}

type messageEvent struct {
	Event  string `json:"event"` // message
	Unread int    `json:"unread"`
}

type subscription struct {
	ProductIDs []int `json:"productIds"`
	Focus      int   `json:"focus"`
}

type login struct {
	Token           string `json:"token"`
	ClientVersion   string `json:"clientVersion"`
	UserID          int64  `json:"userId"`
	ClientUserAgent string `json:"clientUserAgent"`
}

type userSubscription struct {
	UserID int64  `json:"userId"`
	UUID   string `json:"uuid"` // the visitor's
}

// chatEvent is an event of the reader's own conversation; absent fields are unchanged.
type chatEvent struct {
	Event     string            `json:"event"` // chat
	Message   *wire.ChatMessage `json:"message,omitempty"`
	State     string            `json:"state"`
	AgentGot  int64             `json:"agentGot"`
	AgentRead int64             `json:"agentRead"`
	ReadUpTo  int64             `json:"readUpTo"` // the reader's own read receipt, over all devices
	Rateable  bool              `json:"rateable"`
	Typing    *bool             `json:"typing,omitempty"` // by the agent
}
