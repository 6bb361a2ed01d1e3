// Calls the three APIs with the client that oapi-codegen makes. A client has one address, so there is one for each API.
package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"

	marquee "example.com/marquee/client"
)

func expect(seen, expected any, what string) {
	if fmt.Sprint(seen) != fmt.Sprint(expected) {
		log.Fatalf("%s: %v, expected %v", what, seen, expected)
	}
}

func client(address, header, value string) *marquee.ClientWithResponses {
	signed := marquee.WithRequestEditorFn(func(_ context.Context, request *http.Request) error {
		request.Header.Set(header, value)
		return nil
	})
	made, err := marquee.NewClientWithResponses(address, signed)
	expect(err, nil, "the client")
	return made
}

func main() {
	ctx := context.Background()
	base := client(os.Getenv("BASE"), "x-api-key", os.Getenv("KEY"))
	b2b := client(os.Getenv("B2B"), "x-api-key", os.Getenv("KEY"))
	profile := client(os.Getenv("PROFILE"), "authorization", "Bearer "+os.Getenv("TOKEN"))

	contract, err := base.CreateContractWithResponse(ctx, &marquee.CreateContractParams{},
		marquee.ContractRequest{Name: "Go", Symbol: "GO", Chain: "MATIC"})
	expect(err, nil, "createContract")
	expect(contract.StatusCode(), 201, "createContract")
	address := contract.JSON201.Address
	token, err := base.MintTokenWithResponse(ctx, address, &marquee.MintTokenParams{}, marquee.NftRequest{
		Destination: os.Getenv("RECEIVER"),
		Metadata:    marquee.NftMetadataRequest{Name: "Seat 1"},
	})
	expect(err, nil, "mintToken")
	expect(token.StatusCode(), 201, "mintToken")
	limit := 3
	tokens, err := base.ListTokensWithResponse(ctx, address, &marquee.ListTokensParams{Limit: &limit})
	expect(err, nil, "listTokens")
	expect(len(*tokens.JSON200), 1, "tokens")
	expect((*tokens.JSON200)[0].Id, token.JSON201.Id, "the token's id")

	data := map[string]any{"email": "oapi-codegen@example.com"}
	newUser := marquee.PutUserDataParamsIfNoneMatchAsterisk
	put, err := profile.PutUserDataWithResponse(ctx, &marquee.PutUserDataParams{IfNoneMatch: &newUser},
		marquee.UserDataChange{UserData: &data})
	expect(err, nil, "putUserData")
	expect(put.StatusCode(), 200, "putUserData")
	mine, err := profile.GetApplicationUserSubWithResponse(ctx)
	expect(err, nil, "getApplicationUserSub")

	read, err := b2b.ReadUserDataWithResponse(ctx, *mine.JSON200)
	expect(err, nil, "readUserData")
	expect(read.JSON200.UserData["email"], "oapi-codegen@example.com", "the e-mail")
	unknown, err := b2b.ReadUserDataWithResponse(ctx, marquee.ApplicationUserSub{ApplicationUserSub: "nobody"})
	expect(err, nil, "readUserData")
	expect(unknown.JSON404.ErrorFields, "USER_NOT_FOUND", "the error of an unknown user")

	refused, err := client(os.Getenv("BASE"), "x-api-key", "wrong").GetContractWithResponse(ctx, address)
	expect(err, nil, "getContract")
	expect(refused.StatusCode(), 403, "the status of a wrong key")
}
